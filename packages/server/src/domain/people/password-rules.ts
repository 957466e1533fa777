/** Why a chosen password is refused, and what to do; undefined if it is accepted. */

export interface PasswordOwner {
  readonly email: string
  readonly name: string
}

export function passwordFault(password: string, { email, name }: PasswordOwner): string | undefined {
  const plain = comparable(password)
  const characters = [...password.normalize('NFKC')]
  if (!password.isWellFormed()) return 'The password holds a broken character. Type it again.'
  if (characters.length < 12) return 'The password is too short. Use at least 12 characters.'
  if (characters.length > 256) return 'The password is too long. Use at most 256 characters.'
  if (new Set(characters).size === 1) return 'The password repeats one character. Use several unrelated words.'
  if (commonPasswords.has(plain)) return 'The password is one of the most common ones. Use several unrelated words.'
  if (plain === comparable(email) || localParts(email).some((part) => plain.includes(part))) {
    return 'The password contains the e-mail address. Use one without it.'
  }
  if (plain === comparable(name)) return 'The password is the name of the account. Use several unrelated words.'
  return undefined
}

const comparable = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The part before the @, with and without a `+label`; parts under four letters occur in words by chance. */
function localParts(email: string): string[] {
  const whole = comparable(email.slice(0, Math.max(email.lastIndexOf('@'), 0)))
  return [whole, whole.split('+', 1)[0] ?? ''].filter((part) => part.length >= 4)
}

// Only those of 12 characters and more: the length rule refuses the others.
const commonPasswords: ReadonlySet<string> = new Set(
  `
  012345678901 0123456789012 0123456789ab 0123456789abc 098765432109 0987654321098 101010101010 111111222222
  111122223333 111222333444 112233445566 11223344556677 121212121212 123123123123 1234512345123 123456123456
  1234567890-= 123456789000 123456789012 1234567890123 12345678901234 123456789012345 1234567890123456
  12345678901234567890 1234567890ab 1234567890abc 1234567890qw 1234567890qwerty 123456789101112 123456789987654321
  123456789abc 123456789abcd 123456789qwe 123456abcdef 123456qwerty 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i
  1q2w3e4r5t6y7u8i9o0p 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 3edc2wsx1qaz 987654321012 9876543210987 a1b2c3d4e5f6
  a1b2c3d4e5f6g7 abc123456789 abc123abc123 abcabcabcabc abcd12345678 abcd1234abcd abcd1234abcd1234 abcdef123456
  abcdefgh1234 abcdefgh12345678 abcdefghijkl abcdefghijklm abcdefghijklmn abcdefghijklmnop abcdefghijklmnopqrstuvwxyz
  admin1234567 admin12345678 admin123456789 adminadmin12 adminadmin123 adminadmin1234 adminadminadmin administrator
  administrator1 administrator123 asdfasdfasdf asdfghjkl123 asdfghjkl1234 asdfghjklqwe asdfghjklzxcvbnm azertyuiop12
  azertyuiop123 changeme1234 changeme12345 changemenow1 changemeplease changethispassword correcthorsebatterystaple
  default12345 defaultpassword football1234 fuckyoufuckyou ihavenopassword iloveyou1234 iloveyou12345 iloveyou123456
  iloveyouforever iloveyousomuch ineedapassword letmein12345 letmein123456 letmeinplease liverpool123 manchesterunited
  mypassword12 mypassword123 mypassword1234 newpassword1 newpassword12 newpassword123 nopasswordhere p@ssw0rd1234
  p@ssw0rd12345 p@ssword1234 p@ssword12345 p@sswordp@ssword pass123456789 passpasspass passw0rd1234 passw0rd12345
  passw0rdpassw0rd password!123 password!@#$ password123! password123!@# password1234 password1234! password12345
  password123456 password1234567 password12345678 password123456789 password1234567890 password2020 password2021
  password2022 password2023 password2024 password2025 password2026 password@123 password@1234 passwordpassword
  princess1234 q1w2e3r4t5y6 q1w2e3r4t5y6u7 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qqqqwwwweeee qwe123qwe123
  qweasdzxc123 qweqweqweqwe qwer1234qwer qwer1234qwer1234 qwerasdfzxcv qwerqwerqwer qwerty123456 qwerty1234567
  qwerty12345678 qwerty123456789 qwerty1234567890 qwertyqwerty qwertyuiop12 qwertyuiop123 qwertyuiop1234
  qwertyuiop12345 qwertyuiop123456 qwertyuiop1234567890 qwertyuiop[] qwertyuiopasdf qwertyuiopasdfghjkl
  qwertyuiopasdfghjklzxcvbnm qwertzuiop12 qwertzuiop123 rootrootroot secret123456 secretpassword secretsecret
  shipway12345 shipwayshipway supersecret1 supersecret123 supersecretpassword temppassword temppassword1
  temppassword123 testpassword testpassword1 testpassword123 testtesttest thisismypassword trustno1trustno1
  unknownpassword welcome12345 welcome123456 welcomewelcome yourpassword zaq12wsxcde3 zxcvbnm12345 zxcvbnm123456
  zxcvbnmasdfghjkl
`
    .trim()
    .split(/\s+/),
)
