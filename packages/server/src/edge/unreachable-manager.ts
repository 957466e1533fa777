// The sentence about a manager whose edge could not be updated.

export const leftOutSentence = (address: string): string =>
  `The manager ${address} cannot be reached and was left out: visitors who come in through it see an earlier state until it is back`
