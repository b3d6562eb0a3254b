import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { NumberInput, Textarea, TextInput } from '../../../ui/Field.tsx';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { packageBody, type SoldPackage } from '#contract/calls/billing-console.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { formatExactMoney } from '../../../shared/format.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { DataTable, type Column, ROWS_BY_ID } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { soldPackagesQuery, useSavePackage } from './billing-console.api.ts';
import { OperatorLayout } from './components/OperatorLayout.tsx';

/** The packages and their prices. */
export default function AdminPackagesPage() {
  return (
    <OperatorLayout>
      <Packages />
    </OperatorLayout>
  );
}

function Packages() {
  const list = useQuery(soldPackagesQuery());
  const [chosen, setChosen] = useState<SoldPackage | 'new' | null>(null);
  const columns = useMemo(() => columnsOf(setChosen), []);
  return (
    <>
      <PageHeader
        title="Packages"
        lead="Changes apply to new purchases. Subscriptions and invoices keep their package and price."
        actions={<Button onClick={() => setChosen('new')}>Add a package</Button>}
      />
      <DataTable
        label="Packages"
        columns={columns}
        rows={list.data?.packages}
        rowModel={ROWS_BY_ID}
        noun={['package', 'packages']}
        failure={list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        empty={<EmptyState title="No packages" />}
      />
      <Dialog
        isOpen={chosen !== null}
        onClose={() => setChosen(null)}
        title={chosen === 'new' || chosen === null ? 'Add a package' : `Change ${chosen.title}`}
      >
        {chosen && <Offer offer={chosen === 'new' ? undefined : chosen} onClose={() => setChosen(null)} />}
      </Dialog>
    </>
  );
}

/** The form uses pounds, the API pence. */
const offerForm = packageBody.omit({ price: true }).extend({
  pounds: z
    .number('Give a price in pounds.')
    .min(0, 'A price cannot be below 0.')
    .max(100_000, 'A price is at most £100,000.'),
});

function Offer({ offer, onClose }: { offer: SoldPackage | undefined; onClose: () => void }) {
  const save = useSavePackage();
  const form = useSchemaForm({
    schema: offerForm,
    initialValues: {
      title: offer?.title ?? '',
      description: offer?.description ?? '',
      pounds: (offer?.price ?? 0) / 100,
      max_readers: offer?.max_readers ?? 30,
      is_offered: offer?.is_offered ?? true,
    },
  });
  const submit = form.onSubmit(async ({ pounds, ...body }) => {
    await save.mutateAsync({ id: offer?.id, body: { ...body, price: Math.round(pounds * 100) } });
    showToast('Package saved');
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Save">
      <TextInput {...form.field('title')} label="Title" autoComplete="off" data-autofocus />
      <Textarea {...form.field('description')} label="Description" rows={2} maxRows={12} />
      <NumberInput
        {...form.field('pounds')}
        label="Price per year in pounds, without VAT"
        decimals={2}
        disabled={offer?.is_trial ?? false}
      />
      <NumberInput {...form.field('max_readers')} label="Pupils" description={`${UNLIMITED_READERS} is unlimited`} />
      <Checkbox {...form.field('is_offered', { type: 'checkbox' })} label="Schools can choose it" />
    </DialogForm>
  );
}

const columnsOf = (onChoose: (offer: SoldPackage) => void): Column<SoldPackage>[] => [
  { id: 'title', header: 'Package', cell: ({ title }) => title },
  {
    id: 'price',
    header: 'Price per year',
    align: 'end',
    cell: ({ price, is_trial }) => (is_trial ? 'Free' : formatExactMoney(price)),
  },
  {
    id: 'places',
    header: 'Pupils',
    align: 'end',
    cell: ({ max_readers: places }) => (places >= UNLIMITED_READERS ? 'unlimited' : places),
  },
  { id: 'schools', header: 'Schools', align: 'end', cell: ({ schools }) => schools },
  { id: 'offered', header: 'Offered', cell: ({ is_offered }) => (is_offered ? 'Yes' : 'No') },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (offer) => (
      <Button variant="default" aria-label={`Change ${offer.title}`} onClick={() => onChoose(offer)}>
        Change
      </Button>
    ),
  },
];
