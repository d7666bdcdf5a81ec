import '../script.css';
import { speak } from '../../texts/speech.ts';
import { download, join } from './pages.ts';
import { cookies, fileErrors, photo } from './photo.ts';
import { privacy } from './privacy.ts';
import { release } from './release.ts';
import { report, video } from './report.ts';
import { errors, locale, shell } from './shell.ts';

speak({ locale, shell, errors: { ...errors, ...fileErrors }, join, download, photo, release, privacy, report, video, cookies });
void import('../../main.tsx');
