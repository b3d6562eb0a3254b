import type { Chart } from '#contract/calls/charts.ts';
import { rowBucket } from '../model/bucket-labels.ts';
import { hasReading, inMinutes, inShort, type Measure } from '../model/measures.ts';
import type { PupilRow } from '../model/pupil-rows.ts';

interface Props {
  title: string;
  chart: Chart;
  measure: Measure;
  /** The pupils to show, in their order; absent for a chart over time. */
  pupils?: readonly PupilRow[];
}

/** The figures of a chart, a row for each stretch of time or pupil. Times are in minutes, so that all columns have room. */
export function ChartTable({ title, chart: { labels, series, bucket, reader_ids: pupilIds }, measure, pupils }: Props) {
  // The total beside the names: it is what most look for.
  const columns = [...series].sort((one, other) => (one.level ?? 0) - (other.level ?? 0));
  const indexes = pupils && pupilIds ? pupils.map(({ id }) => pupilIds.indexOf(id)) : [...labels.keys()];
  const withYear = new Set(labels.map((label) => label.slice(0, 4))).size > 1;
  const cell = (value: number | null) => (measure === 'time' ? inMinutes(value ?? 0) : inShort(measure, value));
  return (
    <table>
      <caption>{measure === 'time' ? `${title}, in minutes` : title}</caption>
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
        {indexes.map((index) => (
          <tr key={pupilIds?.[index] ?? labels[index]}>
            <th scope="row">{bucket ? rowBucket(bucket, labels[index] ?? '', withYear) : labels[index]}</th>
            {columns.map(({ name, data }) => (
              <td key={name}>{hasReading(measure, data[index]) ? cell(data[index] ?? null) : '–'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
