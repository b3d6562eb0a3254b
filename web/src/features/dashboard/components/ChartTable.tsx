import type { Chart } from '#contract/calls/charts.ts';
import { rowBucket } from '../model/bucket-labels.ts';
import { hasReading, inShort, type Measure } from '../model/measures.ts';

/** The figures of a chart, a row for each stretch of time or pupil. */
export function ChartTable({
  title,
  chart: { labels, series, bucket, reader_ids: pupilIds },
  measure,
}: {
  title: string;
  chart: Chart;
  measure: Measure;
}) {
  // The total beside the names: it is what most look for, and the levels may need scrolling.
  const columns = [...series].sort((one, other) => (one.level ?? 0) - (other.level ?? 0));
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{bucket ? { day: 'Day', week: 'Week', month: 'Month' }[bucket] : 'Pupil'}</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, index) => (
          <tr key={pupilIds?.[index] ?? label}>
            <th scope="row">{bucket ? rowBucket(bucket, label) : label}</th>
            {columns.map(({ name, data }) => (
              <td key={name}>{hasReading(measure, data[index]) ? inShort(measure, data[index] ?? null) : '–'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
