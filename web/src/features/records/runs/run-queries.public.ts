export { runQuery, runsQuery, runsTable } from './runs.api.ts';
