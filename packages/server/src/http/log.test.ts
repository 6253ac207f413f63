import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const LOG = new URL('log.ts', import.meta.url).href;

test.each([
  ['throws', 'setTimeout(() => { throw new Error("the end"); }, 5)'],
  ['exits', 'process.exit(3)'],
])('a process that %s still writes its last log lines', (_how, end) => {
  const program = `import { openLog } from '${LOG}'; openLog('info').logger.error('the last words'); ${end};`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(stderr).toContain('"msg":"the last words"');
  expect(status).not.toBe(0);
});
