import { Button } from '../../../ui/Button.tsx';
import { TextInput } from '../../../ui/Field.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { billingConsoleCalls, type RevenueMonth } from '#contract/calls/billing-console.ts';
import { download } from '../../../shared/download.ts';
import { formatDate, formatExactMoney } from '../../../shared/format.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { DataTable, type Column, type RowModel } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FieldPair, Form } from '../../../ui/Form.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { revenueQuery } from './billing-console.api.ts';
import { OperatorLayout } from './components/OperatorLayout.tsx';

/** `November 2026`. */
const monthName = (day: string): string => formatDate(day).split(' ').slice(1).join(' ');

const COLUMNS: Column<RevenueMonth>[] = [
  { id: 'month', header: 'Month', cell: ({ month }) => monthName(month) },
  { id: 'invoices', header: 'Invoices', align: 'end', cell: ({ invoices }) => invoices },
  { id: 'subtotal', header: 'Invoiced, net', align: 'end', cell: ({ subtotal }) => formatExactMoney(subtotal) },
  { id: 'vat', header: 'VAT', align: 'end', cell: ({ vat }) => formatExactMoney(vat) },
  { id: 'credited', header: 'Credited, gross', align: 'end', cell: ({ credited }) => formatExactMoney(credited) },
  { id: 'paid', header: 'Received, gross', align: 'end', cell: ({ paid }) => formatExactMoney(paid) },
];

const ROW_MODEL: RowModel<RevenueMonth> = { key: ({ month }) => month };

/** What was invoiced, credited and received by month, and an export for the accountant. */
export default function AdminRevenuePage() {
  return (
    <OperatorLayout>
      <Revenue />
    </OperatorLayout>
  );
}

function Revenue() {
  const list = useQuery(revenueQuery());
  return (
    <>
      <PageHeader
        title="Revenue"
        lead="The last 24 months, in London time. Invoices count in the month of issue, payments in the month they arrive."
      />
      <DataTable
        label="Revenue by month"
        columns={COLUMNS}
        rows={list.data?.months}
        rowModel={ROW_MODEL}
        noun={['month', 'months']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={<EmptyState title="No invoices yet" />}
      />
      <section className="above-3xl">
        <h2>For the accountant</h2>
        <ExportForm />
      </section>
    </>
  );
}

const day = z.iso.date('Choose a date.');
const exportForm = z.object({ from: day, to: day });

function ExportForm() {
  const form = useSchemaForm({ schema: exportForm, initialValues: { from: '', to: '' } });
  const [isSaved, setSaved] = useState(false);
  const submit = form.onSubmit(async (query) => {
    await download(billingConsoleCalls.exportInvoices.path, { query }, 'invoices.csv');
    setSaved(true);
  });
  return (
    <Form form={form} onSubmit={submit}>
      <FieldPair>
        <TextInput {...form.field('from')} type="date" label="First day" />
        <TextInput {...form.field('to')} type="date" label="Last day" />
      </FieldPair>
      <Button type="submit" variant="default" loading={form.isSubmitting}>
        Download invoices and credit notes (CSV)
      </Button>
      {isSaved && <p>File saved.</p>}
    </Form>
  );
}
