export { ComparisonNote } from './components/ComparisonNote.tsx';
export { DashboardChart } from './components/DashboardChart.tsx';
export { comparedWith } from './model/changes.ts';
