import type { EventTemplate } from '@feierbild/contract/event-templates.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

const NONE: EventTemplate[] = [];

/** Reads the templates for new events; empty until they are known. */
export function useTemplates(): EventTemplate[] {
  return useQuery({ queryKey: ['templates'], queryFn: () => call('GET /admin/templates') }).data?.templates ?? NONE;
}
