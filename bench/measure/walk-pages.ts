// Reads a whole list page by page, as a caller does: it reads every body and follows the link to the next page. With
// `sampled`, for a server without such links, it requests that many pages spread evenly over the list instead.
import { bearer, type Page } from '../peers/api-calls.ts';
import { LIST_PATH } from './workloads.ts';

export interface WalkResult {
  seen: number;
  requests: number;
  seconds: number;
}

const [address = '', token = '', sampled = '0'] = process.argv.slice(2);
const FIRST = `${LIST_PATH}?page_limit=1000`;

const start = performance.now();
const { seen, requests } = sampled === '0' ? await followLinks() : await samplePages(Number(sampled));
process.send?.({ seen, requests, seconds: (performance.now() - start) / 1000 } satisfies WalkResult);
process.disconnect?.();

async function followLinks() {
  let [seen, requests] = [0, 0];
  for (let path: string | undefined = FIRST; path; ) {
    const { page, next } = await ask(path);
    seen += page.results.length;
    requests++;
    path = next;
  }
  return { seen, requests };
}

async function samplePages(count: number) {
  const pages = (await ask(FIRST)).page.total_pages;
  let seen = 0;
  for (let index = 0; index < count; index++) {
    const number = 1 + Math.floor(((index + 0.5) / count) * pages);
    seen += (await ask(`${FIRST}&page_no=${number}`)).page.results.length;
  }
  return { seen, requests: count + 1 };
}

async function ask(path: string): Promise<{ page: Page; next: string | undefined }> {
  const response = await fetch(new URL(path, address), { headers: bearer(token) });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  const { data: page } = (await response.json()) as { data: Page };
  return { page, next: /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] };
}
