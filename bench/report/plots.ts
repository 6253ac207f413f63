import { ENGINE_NAMES, ENGINE_TITLES, type EngineName } from '../engines.ts';
import { LIST } from '../measure/questions.ts';
import { firstPageOf, ONE_EMAIL, randomPageOf, randomPageOneAtATime } from '../measure/workloads.ts';
import type { BenchOptions } from '../options.ts';
import { axis, COLOURS, digits, draw, frame, labels, type Plot } from './draw-plot.ts';
import { formatCount } from './format.ts';
import { COMPARED_WORKLOADS } from './processor-table.ts';
import { processorRatio } from './processor-targets.ts';
import { toPlain } from './question-targets.ts';
import { type QuestionResult, type Results, SERVER_TITLES, type ServerName } from './results.ts';

/** Draws what was measured in this run; a plot without any figures is left as it is. */
export function drawPlots(results: Results, { sizes }: BenchOptions): void {
  const largest = sizes.at(-1) ?? 0;
  if (results.measurements.length > 0) {
    draw('random-page-median.svg', randomPageMedian(results, sizes));
    draw('throughput-to-ceiling.svg', throughputToCeiling(results, largest));
    draw('processor-time.svg', processorTime(results));
  }
  for (const engine of ENGINE_NAMES) {
    const ours = results.questions.filter((each) => each.engine === engine);
    if (ours.length > 0) draw(`questions-${engine}.svg`, questionsToPlainPage(ours, engine), { height: 900 });
  }
}

/** The time of a random page as the list grows. The time axis is logarithmic. */
function randomPageMedian(results: Results, sizes: number[]): Plot {
  const workload = randomPageOneAtATime('whole list');
  const lines = (
    [
      { name: SERVER_TITLES.usual, engine: 'sqlite', row: 'usual', colour: COLOURS.usual },
      { name: SERVER_TITLES.uncached, engine: 'sqlite', row: 'uncached', colour: COLOURS.uncached },
      { name: 'ours, PostgreSQL', engine: 'postgres', row: 'uncached', colour: COLOURS.postgres },
    ] as const
  ).filter(({ engine, row }) => sizes.some((size) => results.find(engine, size, workload, row)));
  return {
    ...frame(
      'Median time of a random page of the whole list, one request at a time',
      lines.map(({ colour }) => colour),
    ),
    xAxis: axis({
      type: 'category',
      data: sizes.map(formatCount),
      name: 'clients',
      nameLocation: 'middle',
      nameGap: 30,
    }),
    yAxis: axis({ type: 'log', name: 'milliseconds' }),
    series: lines.map(({ name, engine, row }) => ({
      name,
      type: 'line',
      symbol: 'circle',
      symbolSize: 9,
      lineStyle: { width: 3 },
      label: labels({ formatter: '{c} ms' }),
      data: sizes.map((clients) => digits(results.find(engine, clients, workload, row)?.p50Ms)),
    })),
  };
}

/** Responses per second as a share of what the bare HTTP module achieves with the same bytes. */
function throughputToCeiling(results: Results, clients: number): Plot {
  const workloads = {
    'first page': firstPageOf('whole list'),
    'random page': randomPageOf('whole list'),
    'one client by email': ONE_EMAIL,
  };
  const rows: ServerName[] = ['usual', 'query', 'uncached', 'cached'];
  return {
    ...frame(
      `Responses per second with ${formatCount(clients)} clients, relative to the ceiling`,
      rows.map((row) => COLOURS[row]),
    ),
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
      label: labels(),
      data: Object.values(workloads).map((workload) => {
        const ours = results.find('sqlite', clients, workload, row);
        const ceiling = results.find('sqlite', clients, workload, 'ceiling');
        return digits(ours && ceiling && ours.perSecond / ceiling.perSecond);
      }),
    })),
  };
}

/** The processor time of a response as a multiple of the ceiling's, on both engines. */
function processorTime(results: Results): Plot {
  const bars = ENGINE_NAMES.flatMap((engine) => {
    const clients = Math.max(
      0,
      ...results.measurements.filter((each) => each.engine === engine).map((each) => each.clients),
    );
    const rows: ServerName[] = ['query', 'uncached', 'cached'];
    return clients === 0 ? [] : rows.map((row) => ({ engine, clients, row }));
  });
  return {
    ...frame(
      'Processor time of the server per response, as a multiple of the ceiling',
      bars.map(({ engine, row }) => (engine === 'sqlite' ? COLOURS[row] : COLOURS.postgresBars[row])),
    ),
    xAxis: axis({ type: 'category', data: COMPARED_WORKLOADS }),
    yAxis: axis({ type: 'value', name: '1 = bare node:http', min: 0 }),
    series: bars.map(({ engine, clients, row }) => ({
      name: `${SERVER_TITLES[row]}, ${ENGINE_TITLES[engine]}`,
      type: 'bar',
      label: labels(),
      data: COMPARED_WORKLOADS.map((workload) =>
        digits(processorRatio(results, engine, clients, workload, row, 'ceiling')),
      ),
    })),
  };
}

/** The median of every question as a multiple of a plain random page, at every size, and the goal. */
function questionsToPlainPage(ours: QuestionResult[], engine: EngineName): Plot {
  const names = [...new Set(ours.map(({ question }) => question))].reverse();
  const sizes = [...new Set(ours.map(({ clients }) => clients))];
  const title = `Median of any combination of filters on ${ENGINE_TITLES[engine]}, to a plain random page`;
  return {
    ...frame(title, COLOURS.sizes),
    grid: { left: 340, right: 40, top: 90, bottom: 40 },
    xAxis: axis({ type: 'value', min: 0 }),
    yAxis: axis({ type: 'category', data: names }),
    series: sizes.map((size, index) => ({
      name: formatCount(size),
      type: 'bar',
      label: labels({ position: 'right' }),
      ...(index === 0 && {
        markLine: {
          symbol: 'none',
          label: { formatter: 'goal for lists of up to 5 values' },
          data: [{ xAxis: LIST }],
        },
      }),
      data: names.map((name) => {
        const found = ours.find(({ question, clients }) => question === name && clients === size);
        return digits(found && toPlain(found));
      }),
    })),
  };
}
