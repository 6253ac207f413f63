// The environments, for the dashboard as well.
export { ENVIRONMENTS, type Environment } from '../../domain/environment.ts';
