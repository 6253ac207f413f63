// Passwords that people often choose and that attackers therefore try first. The list is short on purpose: passwords of 15
// or more characters are rarely on leaked lists, so the stems below, repeated or followed by digits and symbols, match most
// of the passwords that a list of millions would.
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

/** True for a common password, also repeated or with digits and symbols around it, and for a repeated character. */
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
