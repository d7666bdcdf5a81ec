import { Switch } from '../../../ui/switch.tsx';

interface SwitchGroupProps<Value extends string> {
  choices: { value: Value; label: string; hint?: string }[];
  chosen: Value[];
  onChange(chosen: Value[]): void;
}

/** Switches for choices that can be combined; chosen values without a switch stay chosen. */
export function SwitchGroup<Value extends string>({ choices, chosen, onChange }: SwitchGroupProps<Value>) {
  return choices.map(({ value, ...shown }) => (
    <Switch
      key={value}
      {...shown}
      checked={chosen.includes(value)}
      onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value))}
    />
  ));
}
