export { pupilSummaryQuery } from './reading.api.ts';
