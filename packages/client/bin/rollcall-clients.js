#!/usr/bin/env node
import { existsSync } from 'node:fs';

// The package contains the build. A clone contains the sources, which its pinned Node runs directly.
const source = new URL('../src/cli/run.ts', import.meta.url);
const { run } = await import(existsSync(source) ? source.href : '../dist/cli/run.js');
process.exitCode = await run(process);
