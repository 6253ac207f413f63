export { keyRoutes } from './keys.ts';
