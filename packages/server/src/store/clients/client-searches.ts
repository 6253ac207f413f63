import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { ClientPages } from '../../domain/clients/list-clients.ts';
import type { ClientSearches } from '../../domain/clients/search-clients.ts';
import type { Engine } from '../engines/engine.ts';
import { findMatches, isFiltered, type ListSizes, type SearchAnswer, type SearchQuestion } from './find-matches.ts';
import type { SearchBounds } from './search-bounds.ts';

/** Searches in a thread of its own where they would keep the process from answering requests (decision 119). */
export function openClientSearches(engine: Engine, pages: ClientPages, bounds: SearchBounds): ClientSearches {
  const thread = engine.openThread?.(threadFile());
  return {
    find: async (workspaceId, { words, ...filter }, { offset, limit }, signal) => {
      if (words.length === 0) return { totalCount: 0, isTotalExact: true, clients: [] };
      const question: SearchQuestion = {
        workspaceId,
        words,
        filter,
        window: { offset, limit: Math.max(0, Math.min(limit, bounds.found - offset)) },
        bounds,
        sizes: await readSizes(pages, workspaceId, filter),
      };
      if (thread) return thread.ask<SearchAnswer>(question, signal);
      return findMatches({ ...question, db: engine.reads, engine, signal });
    },
  };
}

/** From the counted index, most of which is in the memory of this process. */
async function readSizes(pages: ClientPages, workspaceId: number, filter: ClientFilter): Promise<ListSizes> {
  const sizeOf = async (list: ClientFilter) =>
    (await pages.read(workspaceId, list, { offset: 0, limit: 1 })).totalCount;
  const listed = await sizeOf(filter);
  return { listed, all: isFiltered(filter) ? await sizeOf({}) : listed };
}

/** Beside this file, in the sources as in the built program. */
function threadFile(): URL {
  return new URL(`./search-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
}
