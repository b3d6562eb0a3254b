import { Button } from '../../../../ui/Button.tsx';
import { NumberInput, TextInput } from '../../../../ui/Field.tsx';
import { useState } from 'react';
import { z } from 'zod';
import { customPackageBody } from '#contract/calls/billing-console.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogForm } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useGrantCustomPackage } from '../billing-console.api.ts';

/** Grants a school a custom package. */
export function CustomPackageDialog({ school }: { school: { id: number; name: string } }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Grant a custom package
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={`Custom package for ${school.name}`}>
        <CustomPackageForm schoolId={school.id} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** The form uses pounds, the API pence. */
const customForm = customPackageBody.omit({ price: true }).extend({
  pounds: z
    .number('Give a price in pounds.')
    .min(0, 'A price cannot be below 0.')
    .max(100_000, 'A price is at most £100,000.'),
});

function CustomPackageForm({ schoolId, onClose }: { schoolId: number; onClose: () => void }) {
  const grant = useGrantCustomPackage(schoolId);
  const form = useSchemaForm({
    schema: customForm,
    initialValues: { title: '', pounds: 0, max_readers: UNLIMITED_READERS, ends_on: '' },
  });
  const submit = form.onSubmit(async ({ pounds, ...body }) => {
    const { invoice_number: number } = await grant.mutateAsync({ ...body, price: Math.round(pounds * 100) });
    showToast(number ? `Package granted. We’ll email ${number} to the billing contact` : 'Package granted');
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Grant package">
      <p>It replaces the current package today. At £0 it is complimentary; otherwise we issue an invoice.</p>
      <TextInput {...form.field('title')} label="Title" autoComplete="off" data-autofocus />
      <NumberInput {...form.field('pounds')} label="Price for the whole period in pounds, without VAT" decimals={2} />
      <NumberInput {...form.field('max_readers')} label="Pupils" description={`${UNLIMITED_READERS} is unlimited`} />
      <TextInput {...form.field('ends_on')} type="date" label="Last day" />
    </DialogForm>
  );
}
