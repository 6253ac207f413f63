export { keyCommand } from './key.ts';
export { signingKeyCommand } from './signing-key.ts';
