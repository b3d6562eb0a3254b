import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { chartCalls, type ChartName } from '#contract/calls/charts.ts';
import { download } from '../../../shared/download.ts';
import { sayError } from '../../../shared/error-text.ts';
import { chartInput, type Scope } from '../dashboard.api.ts';
import css from './DownloadCsv.module.css';

/** Saves the figures of a chart as a file for a spreadsheet. */
export function DownloadCsv({ name, title, scope }: { name: ChartName; title: string; scope: Scope }) {
  const file = useMutation({
    mutationFn: () =>
      download(chartCalls.getChart.path, { query: { ...chartInput(name, scope), output: 'csv' } }, `${name}.csv`),
  });
  return (
    <span className={css.root}>
      {file.error && (
        <span role="alert" className={css.failure}>
          {sayError(file.error)}
        </span>
      )}
      <Button
        size="sm"
        variant="subtle"
        loading={file.isPending}
        onClick={() => file.mutate()}
        aria-label={`Download CSV: ${title}`}
      >
        Download CSV
      </Button>
    </span>
  );
}
