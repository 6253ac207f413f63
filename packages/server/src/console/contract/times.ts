// Times are read by one function, in the browser too.
export { isTime, parseTime } from '../../domain/time.ts';
