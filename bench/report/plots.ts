import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as echarts from 'echarts';
import { firstPageOf, ONE_EMAIL, randomPageOf, randomPageOneAtATime } from '../measure/workloads.ts';
import { RESULTS } from '../paths.ts';
import { type Results, SERVER_TITLES, type ServerName } from './results.ts';
import { formatCount } from './targets.ts';

const [WIDTH, HEIGHT] = [820, 420];
/** Fixed colours, so that the plots look the same on light and dark pages. */
const [PAPER, INK, GRID] = ['#ffffff', '#1f2933', '#d9dee5'];
/** The colours also differ in lightness, for people who cannot distinguish the hues. */
const COLOURS: Record<ServerName, string> = {
  ceiling: '#8a94a3',
  usual: '#d97706',
  cached: '#0f766e',
  uncached: '#2563eb',
  postgres: '#7c3aed',
};
// No quoted font names: echarts writes them into an attribute without escaping.
const FONT = 'system-ui, sans-serif';

export function drawPlots(results: Results, sizes: number[]): void {
  mkdirSync(RESULTS, { recursive: true });
  draw('random-page-median.svg', randomPageMedian(results, sizes));
  draw('throughput-to-ceiling.svg', throughputToCeiling(results, sizes.at(-1) ?? 0));
}

/** The time of a random page as the list grows. The time axis is logarithmic. */
function randomPageMedian(results: Results, sizes: number[]): echarts.EChartsCoreOption {
  const workload = randomPageOneAtATime('whole list');
  const rows = (['usual', 'uncached', 'postgres'] as ServerName[]).filter((row) =>
    results.find(sizes[0] ?? 0, workload, row),
  );
  return {
    ...frame('Median time of a random page of the whole list, one request at a time', rows),
    xAxis: axis({
      type: 'category',
      data: sizes.map(formatCount),
      name: 'clients',
      nameLocation: 'middle',
      nameGap: 30,
    }),
    yAxis: axis({ type: 'log', name: 'milliseconds', axisLabel: { color: INK, fontFamily: FONT } }),
    series: rows.map((row) => ({
      name: SERVER_TITLES[row],
      type: 'line',
      symbol: 'circle',
      symbolSize: 9,
      lineStyle: { width: 3 },
      label: { show: true, position: 'top', color: INK, fontFamily: FONT, formatter: '{c} ms' },
      data: sizes.map((clients) => digits(results.find(clients, workload, row)?.p50Ms)),
    })),
  };
}

/** Responses per second as a share of what the bare HTTP module achieves with the same bytes. */
function throughputToCeiling(results: Results, clients: number): echarts.EChartsCoreOption {
  const workloads = {
    'first page': firstPageOf('whole list'),
    'random page': randomPageOf('whole list'),
    'one client by email': ONE_EMAIL,
  };
  const rows: ServerName[] = ['usual', 'uncached', 'cached'];
  return {
    ...frame(`Responses per second with ${formatCount(clients)} clients, relative to the ceiling`, rows),
    xAxis: axis({ type: 'category', data: Object.keys(workloads) }),
    yAxis: axis({
      type: 'value',
      name: '1 = bare node:http',
      min: 0,
      max: ({ max }: { max: number }) => Math.max(1, max),
    }),
    series: rows.map((row) => ({
      name: SERVER_TITLES[row],
      type: 'bar',
      barMaxWidth: 60,
      label: { show: true, position: 'top', color: INK, fontFamily: FONT },
      data: Object.values(workloads).map((workload) => {
        const [ours, ceiling] = [results.find(clients, workload, row), results.find(clients, workload, 'ceiling')];
        return digits(ours && ceiling && ours.perSecond / ceiling.perSecond);
      }),
    })),
  };
}

function frame(title: string, rows: ServerName[]) {
  return {
    animation: false,
    backgroundColor: PAPER,
    color: rows.map((row) => COLOURS[row]),
    textStyle: { fontFamily: FONT },
    title: { text: title, left: 20, top: 14, textStyle: { color: INK, fontSize: 16, fontFamily: FONT } },
    legend: { top: 46, left: 20, itemGap: 32, textStyle: { color: INK, fontFamily: FONT } },
    grid: { left: 70, right: 40, top: 110, bottom: 60 },
  };
}

function axis(settings: object) {
  return {
    nameTextStyle: { color: INK, fontFamily: FONT },
    axisLabel: { color: INK, fontFamily: FONT },
    axisLine: { lineStyle: { color: INK } },
    splitLine: { lineStyle: { color: GRID } },
    ...settings,
  };
}

function digits(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(2));
}

function draw(name: string, option: echarts.EChartsCoreOption): void {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  chart.setOption(option);
  writeFileSync(join(RESULTS, name), `${chart.renderToSVGString()}\n`);
  chart.dispose();
}
