import { notifications } from '@mantine/notifications';
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import { ApiError, callConsole } from './api.ts';

const RETRY_MS = 1000;
const AWAY = 'server-away';

/**
 * A page whose script is loaded when it is opened. If Rollcall is away, it waits until Rollcall is back and goes on; the page
 * that is open stays as it is. If the script does not exist any more, because Rollcall was updated, the new version is loaded.
 */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): AsyncRouteComponent<object> {
  return lazyRouteComponent(() => loadPatiently(load), name as never) as AsyncRouteComponent<object>;
}

async function loadPatiently<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch {
    // A browser may remember that a script could not be loaded, so only a new page can load it.
    await untilReachable();
    window.location.reload();
    return new Promise(() => {});
  }
}

async function untilReachable(): Promise<void> {
  while (!(await isReachable())) {
    notifications.show({
      id: AWAY,
      color: 'red',
      title: 'Rollcall cannot be reached',
      message: 'The page opens when Rollcall is back. Nothing on this page is lost.',
      autoClose: false,
      withCloseButton: false,
    });
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  notifications.hide(AWAY);
}

async function isReachable(): Promise<boolean> {
  try {
    await callConsole('GET', '/set-up');
    return true;
  } catch (error) {
    return error instanceof ApiError && error.status !== 0;
  }
}
