export { ActionIcon, Button, type ButtonProps, CloseButton, UnstyledButton } from '@mantine/core';
