import { readFileSync } from 'node:fs';

/**
 * The folder of the package. The built program is as deep below it as this file is, so both find the same folder; what is
 * given to `new URL` elsewhere would not be found from the built program.
 */
export const PACKAGE_FOLDER = new URL('..', import.meta.url);

export function packageVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8'));
  return manifest.version;
}
