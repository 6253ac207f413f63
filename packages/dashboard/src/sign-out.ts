import { notifications } from '@mantine/notifications';
import { ApiError, call, SIGNED_OUT } from './api.ts';
import { goTo } from './go-to.ts';

/** Leaves by loading a new page, so that nothing of the old one stays in memory. */
export async function signOut(): Promise<void> {
  try {
    await call('DELETE', '/session');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== SIGNED_OUT) {
      notifications.show({ color: 'red', title: 'You are still signed in', message: error.message });
      return;
    }
  }
  goTo('/sign-in', { replace: true });
}
