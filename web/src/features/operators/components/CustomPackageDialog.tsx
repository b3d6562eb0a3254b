import { Button, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { z } from 'zod';
import { customPackageBody } from '#contract/calls/billing-console.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useGiveCustomPackage } from '../billing-console.api.ts';

/** Gives a school a package of its own. */
export function CustomPackageDialog({ school }: { school: { id: number; name: string } }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Give a custom package
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={`A package for ${school.name}`}>
        <CustomPackageForm schoolId={school.id} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** The form has pounds, the call pence. */
const customForm = customPackageBody.omit({ price: true }).extend({
  pounds: z
    .number('Give a price in pounds.')
    .min(0, 'A price is not below 0.')
    .max(100_000, 'A price is at most £100,000.'),
});

function CustomPackageForm({ schoolId, onClose }: { schoolId: number; onClose: () => void }) {
  const give = useGiveCustomPackage(schoolId);
  const form = useSchemaForm({
    schema: customForm,
    initialValues: { title: '', pounds: 0, max_readers: 999, ends_on: '' },
  });
  const submit = form.onSubmit(async ({ pounds, ...body }) => {
    const { invoice_number: number } = await give.mutateAsync({ ...body, price: Math.round(pounds * 100) });
    showToast(number ? `The package is there; ${number} goes to the billing contact` : 'The package is there');
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Give this package">
      <p>
        It takes the place of the present package today. With a price an invoice is made; at £0 it is complimentary.
      </p>
      <TextInput {...form.field('title')} label="Title" autoComplete="off" data-autofocus />
      <NumberInput
        {...form.field('pounds')}
        label="Price for all of it in pounds, without VAT"
        decimalScale={2}
        min={0}
      />
      <NumberInput {...form.field('max_readers')} label="Pupils" description="999 is unlimited" min={1} max={999} />
      <TextInput {...form.field('ends_on')} type="date" label="Last day" />
    </DialogForm>
  );
}
