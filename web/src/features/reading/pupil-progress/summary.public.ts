export { pupilSummaryQuery } from './pupil-progress.api.ts';
