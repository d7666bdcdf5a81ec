import '../script.css';
import { speak } from '../../texts/speech.ts';
import { unkept, guest, later, uploadErrors } from './event.ts';
import { report, video } from './report.ts';
import { errors, locale, shell } from './shell.ts';

speak({ locale, shell, errors: { ...errors, ...uploadErrors }, guest, later, report, video, unkept });
void import('../../guest.tsx');
