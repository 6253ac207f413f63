import { notifications } from '@mantine/notifications';
import { ApiError, callConsole, SIGNED_OUT } from './api.ts';
import { loadPage } from './load-page.ts';
import { tellAfterLoading } from './tell-after-loading.ts';

/** Loads a new page afterwards, so that no data of the old one stays in memory. */
export async function signOut(): Promise<void> {
  try {
    await callConsole('DELETE', '/session');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== SIGNED_OUT) {
      notifications.show({ color: 'red', title: 'You are still signed in', message: error.message });
      return;
    }
  }
  tellAfterLoading('You have signed out.');
  loadPage('/sign-in', { replace: true });
}
