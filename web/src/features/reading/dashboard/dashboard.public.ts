export { ComparisonNote } from './components/ComparisonNote.tsx';
export { DownloadCharts } from './components/DownloadCharts.tsx';
export { DashboardChart } from './components/DashboardChart.tsx';
export { comparedWith } from './model/changes.ts';
export { type ShownComparison, useComparison } from './model/use-comparison.ts';
