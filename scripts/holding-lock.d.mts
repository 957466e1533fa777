export function holdingLock<Result>(
  name: string,
  action: () => Result | Promise<Result>,
  onWait?: () => void,
): Promise<Result>
