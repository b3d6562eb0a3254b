import type { Chart } from '#contract/calls/charts.ts';
import { rowBucket } from '../model/bucket-labels.ts';
import { hasReading, type Measure } from '../model/measures.ts';
import type { PupilRow } from '../model/pupil-rows.ts';

interface Props {
  title: string;
  chart: Chart;
  measure: Measure;
  /** The pupils to show, in their order; absent for a chart over time. */
  pupils?: readonly PupilRow[];
}

const formatCell = (measure: Measure, value: number | null | undefined): string =>
  hasReading(measure, value) ? measure.formatCell(value) : '–';

/** The values of a chart as a table, with a row for each bucket or pupil. */
export function ChartTable({ title, chart: { labels, series, bucket, reader_ids: pupilIds }, measure, pupils }: Props) {
  // The total is first, because most users look for it.
  const columns = [...series].sort((a, b) => (a.level ?? 0) - (b.level ?? 0));
  const indexes = pupils && pupilIds ? pupils.map(({ id }) => pupilIds.indexOf(id)) : [...labels.keys()];
  const withYear = new Set(labels.map((label) => label.slice(0, 4))).size > 1;
  return (
    <table>
      <caption>{[title, measure.tableUnit].filter(Boolean).join(', ')}</caption>
      <thead>
        <tr>
          <th scope="col" className="panel-side">
            {bucket ? { day: 'Day', week: 'Week', month: 'Month' }[bucket] : 'Pupil'}
          </th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {indexes.map((index) => (
          <tr key={pupilIds?.[index] ?? labels[index]}>
            <th scope="row" className="panel-side">
              {bucket ? rowBucket(bucket, labels[index] ?? '', withYear) : labels[index]}
            </th>
            {columns.map(({ name, data }) => (
              <td key={name}>{formatCell(measure, data[index])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
