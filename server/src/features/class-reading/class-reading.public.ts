export { getReadingClass } from './class-reading.access.ts';
export { describeClassReading } from './class-reading.service.ts';
