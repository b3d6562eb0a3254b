export { ClassSummary } from './components/ClassSummary.tsx';
export { HardWords } from './components/HardWords.tsx';
export { PrintReport } from './components/PrintReport.tsx';
export { PupilWords } from './components/PupilWords.tsx';
export { readingColumns } from './components/ReadingColumns.tsx';
export { NotReadThisWeek } from './components/NotReadThisWeek.tsx';
export { WhoNeedsMe } from './components/WhoNeedsMe.tsx';
export { CLASS_TABLE, orderPupils, useClassReading } from './model/class-reading.ts';
export { classReadingQuery, needsQuery, notReadThisWeekQuery, progressQuery } from './reading-needs.api.ts';
