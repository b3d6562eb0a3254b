import type { Chart } from '#contract/calls/charts.ts';
import { fullBucket } from './bucket-labels.ts';
import { inWords, type Measure } from './measures.ts';

/** The figures of a chart, a row for each stretch of time or pupil. */
export const ChartTable = ({ title, chart: { labels, series, bucket, reader_ids }, measure }: { title: string; chart: Chart; measure: Measure }) => (
  <table>
    <caption>{title}</caption>
    <thead>
      <tr>
        <th scope="col">{bucket ? { day: 'Day', week: 'Week', month: 'Month' }[bucket] : 'Pupil'}</th>
        {series.map(({ name }) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {labels.map((label, place) => (
        <tr key={reader_ids?.[place] ?? label}>
          <th scope="row">{bucket ? fullBucket(bucket, label) : label}</th>
          {series.map(({ name, data }) => (
            <td key={name}>{inWords(measure, data[place] ?? null)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
