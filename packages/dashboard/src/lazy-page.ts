import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';

/** The script of a page could not be loaded: Rollcall is away, or was updated and has other scripts now. */
export class PageNotLoaded extends Error {}

/** A page whose script is loaded when it is opened, or when a link to it is pointed at. */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): AsyncRouteComponent<object> {
  const loading = () =>
    load().catch((cause) => {
      // Under another name, because the router would load the whole page again, which fails while Rollcall is away.
      throw new PageNotLoaded('This page could not be loaded.', { cause });
    });
  return lazyRouteComponent(loading, name as never) as AsyncRouteComponent<object>;
}
