import { styleText } from 'node:util';
import { printable } from '../printable.ts';
import type { RouteView, View } from './view.ts';

export interface Screen {
  columns: number;
  rows: number;
}

const COLUMNS = ['req/s', 'median', '99 %', 'errors/s'];
const COLUMN_WIDTH = 9;
const LISTENER_WIDTH = 11;

/** The view as lines that fit on the screen. Bold and red are left out where the output is not a terminal. */
export function draw(view: View, url: string, { columns, rows }: Screen): string[] {
  const top = [...overview(view, url), ''];
  const header = routeLine('listener', 'route', COLUMNS, columns);
  const room = Math.max(1, rows - top.length - 2);
  const shown = view.routes.slice(0, view.routes.length > room ? room - 1 : room);
  const more = view.routes.length - shown.length;
  const routes = shown.map((route) => {
    const line = fit(routeLine(route.listener, route.route, cellsOf(route), columns), columns);
    return route.errorsPerSecond > 0 ? red(line) : line;
  });
  return [
    ...top.map((line) => fit(line, columns)).map(markTrouble(view)),
    bold(fit(header, columns)),
    ...(routes.length > 0 ? routes : ['no requests']),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

function overview(view: View, url: string): string[] {
  const { jobs } = view;
  const cache = view.pageCacheHitShare === undefined ? 'unused' : `${percent(view.pageCacheHitShare)} hits`;
  const limits = view.limits.map(({ limit, perSecond }) => `${printable(limit)} ${perSecondText(perSecond)}`);
  return [
    `Rollcall ${printable(view.version)} on ${printable(view.engine)}, Node ${printable(view.node)}, up ${duration(view.upSeconds)}, ${printable(url)}`,
    `requests   ${perSecondText(view.requestsPerSecond)}, ${percent(view.errorShare)} errors, ${view.connections} connections, ${view.processes} serving`,
    `limits     ${limits.length === 0 ? 'none was hit' : limits.join(', ')}`,
    `caches     pages ${cache}, ${megabytes(view.pageCacheBytes)}, lists ${megabytes(view.indexBytes)}`,
    `process    ${view.cores.toFixed(2)} cores, ${megabytes(view.memoryBytes)}, heap ${percent(view.heapShare)}, event loop ${seconds(view.loopDelaySeconds)} late (99 %)`,
    `database   ${view.isDatabaseAvailable ? 'available' : 'UNAVAILABLE'}, ${view.waitingForDatabase} waiting, lag ${seconds(view.lagSeconds)}`,
    `jobs       ${jobs.running} running, ${jobs.waiting} waiting, ${jobs.failed} failed since the start`,
  ];
}

function markTrouble({ isDatabaseAvailable, errorShare }: View): (line: string, index: number) => string {
  return (line, index) => {
    if (index === 0) return bold(line);
    const isTrouble = (index === 1 && errorShare > 0) || (index === 5 && !isDatabaseAvailable);
    return isTrouble ? red(line) : line;
  };
}

function cellsOf({ perSecond, p50Seconds, p99Seconds, errorsPerSecond }: RouteView): string[] {
  return [number(perSecond), seconds(p50Seconds), seconds(p99Seconds), number(errorsPerSecond)];
}

function routeLine(listener: string, route: string, cells: readonly string[], columns: number): string {
  const width = Math.max(10, columns - LISTENER_WIDTH - COLUMN_WIDTH * cells.length);
  const name = fit(printable(route), width).padEnd(width);
  return printable(listener).padEnd(LISTENER_WIDTH) + name + cells.map((cell) => cell.padStart(COLUMN_WIDTH)).join('');
}

function fit(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

function perSecondText(value: number): string {
  return `${number(value)}/s`;
}

function number(value: number): string {
  return value === 0 ? '0' : value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}

function seconds(value: number | undefined): string {
  if (value === undefined) return '-';
  if (value === Number.POSITIVE_INFINITY) return '> 10 s';
  return value < 1 ? `${(value * 1000).toFixed(value < 0.01 ? 1 : 0)} ms` : `${value.toFixed(1)} s`;
}

function duration(value: number): string {
  const minutes = Math.floor(value / 60);
  if (minutes < 1) return `${Math.floor(value)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout });
}

function red(text: string): string {
  return styleText('red', text, { stream: process.stdout });
}
