export { chartQuery, comparisonQuery } from './dashboard.api.ts';
export { PUPIL_CHARTS } from './model/charts.ts';
