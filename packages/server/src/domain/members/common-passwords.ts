// Passwords that people really choose and that guessing programs therefore try first. The list is short on purpose:
// what is 15 characters or longer is hardly ever on a leaked list, so the stems below, repeated or dressed up with
// digits and signs at the end, catch most of what a list of millions would.
const STEMS = [
  '12345678',
  '123456789',
  '1234567890',
  '0123456789',
  '87654321',
  '11111111',
  '00000000',
  'abcdefgh',
  'abcd1234',
  'abc12345',
  '1q2w3e4r',
  '1q2w3e4r5t',
  '1qaz2wsx',
  'qwertyui',
  'qwerty123',
  'qwertyuiop',
  'qwertyuiopasdf',
  'asdfghjk',
  'asdfghjkl',
  'zxcvbnm',
  'azertyui',
  'azertyuiop',
  'password',
  'passw0rd',
  'p@ssword',
  'p@ssw0rd',
  'passphrase',
  'mypassword',
  'thisismypassword',
  'letmein',
  'letmeinplease',
  'welcome',
  'changeme',
  'changemenow',
  'administrator',
  'administration',
  'admin',
  'default',
  'secret',
  'iloveyou',
  'iloveyousomuch',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'superman',
  'batman',
  'dragon',
  'monkey',
  'trustno1',
  'whatever',
  'starwars',
  'computer',
  'internet',
  'correcthorsebatterystaple',
  'maytheforcebewithyou',
  'thequickbrownfox',
  'thequickbrownfoxjumpsoverthelazydog',
  'onetwothreefour',
  'supercalifragilisticexpialidocious',
  'rollcall',
];

/** True for a common password, for one repeated or with digits and signs around it, and for one character repeated. */
export function isCommonPassword(password: string): boolean {
  const plain = password.toLowerCase().replace(/[\s._-]/g, '');
  if (new Set(plain).size <= 2) return true;
  const forms = new Set([plain, plain.replace(/[^a-z]+$/, ''), plain.replace(/^[^a-z]+|[^a-z]+$/g, '')]);
  return STEMS.some((stem) => [...forms].some((form) => form === stem || isRepeated(form, stem)));
}

function isRepeated(text: string, stem: string): boolean {
  const times = text.length / stem.length;
  return Number.isInteger(times) && text === stem.repeat(times);
}
