import { speak } from '../../texts/speech.ts';
import { gallery } from './gallery.ts';
import { cookies, fileErrors, photo } from './photo.ts';
import { report, video } from './report.ts';
import { errors, locale, shell } from './shell.ts';

speak({ locale, shell, errors: { ...errors, ...fileErrors }, gallery, photo, report, video, cookies });
void import('../../guest-gallery.tsx');
