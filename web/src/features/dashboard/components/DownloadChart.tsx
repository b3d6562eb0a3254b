import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { chartCalls, type ChartName } from '#contract/calls/charts.ts';
import { download } from '../../../shared/download.ts';
import { sayError } from '../../../shared/error-text.ts';
import { chartInput, type Scope } from '../dashboard.api.ts';
import css from './DownloadChart.module.css';

const FORMATS = [
  { format: 'xlsx', text: 'Download XLSX' },
  { format: 'csv', text: 'Download CSV' },
] as const;

/** Saves the figures of a chart as a file for a spreadsheet. */
export function DownloadChart({ name, title, scope }: { name: ChartName; title: string; scope: Scope }) {
  const file = useMutation({
    mutationFn: (output: 'csv' | 'xlsx') =>
      download(chartCalls.getChart.path, { query: { ...chartInput(name, scope), output } }, `${name}.${output}`),
  });
  return (
    <span className={css.root}>
      {file.error && (
        <span role="alert" className={css.failure}>
          {sayError(file.error)}
        </span>
      )}
      {FORMATS.map(({ format, text }) => (
        <Button
          key={format}
          size="sm"
          variant="subtle"
          loading={file.isPending && file.variables === format}
          onClick={() => file.mutate(format)}
          aria-label={`${text}: ${title}`}
        >
          {text}
        </Button>
      ))}
    </span>
  );
}
