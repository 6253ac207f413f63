#!/usr/bin/env node
import { existsSync } from 'node:fs';

// The package holds the build; a clone holds the sources, which its pinned Node runs as they are.
const source = new URL('../src/cli/run.ts', import.meta.url);
const { run } = await import(existsSync(source) ? source.href : '../dist/cli/run.js');
process.exitCode = await run(process);
