export { NativeSelect, NumberInput, Textarea, TextInput, type TextInputProps } from '@mantine/core';
