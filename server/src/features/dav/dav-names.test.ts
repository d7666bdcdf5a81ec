import { describe, expect, it } from 'vitest';
import { cleanPath, finishedName, isJunk } from './dav-names.ts';

describe('names in the folder of a Fotobox', () => {
  it.each([
    '._IMG_1.jpg',
    '.DS_Store',
    'Thumbs.db',
    'thumbs.DB',
    'desktop.ini',
    '~$Liste.docx',
    '~$Gäste.xlsx',
    '~$a.ppt',
    '~$a.DOC',
    '~$a.xlsb',
  ])('%s is taken, and dropped', (name) => {
    expect(isJunk(name)).toBe(true);
  });

  it.each([
    '.IMG_1.JPG.Ab12Cd',
    '.IMG_1.jpg',
    '~$IMG_1.jpg',
    '.metadata',
    '_.jpg',
    'Thumbs.db.jpg',
    'DS_Store',
    '~$docx',
    '.syncthing.a.jpg.tmp',
  ])('%s is judged by its bytes', (name) => {
    expect(isJunk(name)).toBe(false);
  });

  it.each([
    ['.IMG_1.JPG.Ab12Cd', 'IMG_1.JPG'],
    ['.syncthing.Größe 1.jpg.tmp', 'Größe 1.jpg'],
    ['~syncthing~IMG_1.jpg.tmp', 'IMG_1.jpg'],
    ['IMG_1.jpg.filepart', 'IMG_1.jpg'],
    ['IMG_1.jpg.tacitpart', 'IMG_1.jpg'],
    ['IMG_1.jpg.4fa3.ffs_tmp', 'IMG_1.jpg'],
    ['IMG_1.jpg.ffs_tmp', 'IMG_1.jpg'],
    ['IMG_1.jpg.crdownload', 'IMG_1.jpg'],
    ['IMG_1.jpg.part', 'IMG_1.jpg'],
    ['IMG_1.jpg.1a2b3c4d.partial', 'IMG_1.jpg'],
    ['IMG_1.jpg.tmp', 'IMG_1.jpg'],
    ['IMG_1.jpg.!sync', 'IMG_1.jpg'],
    ['IMG_1.jpg.sb-1a2b3c4d-Ab12Cd', 'IMG_1.jpg'],
    ['IMG_1.jpg.crswap', 'IMG_1.jpg'],
    ['IMG_1.jpg', 'IMG_1.jpg'],
    ['.goutputstream-AB12C3', '.goutputstream-AB12C3'],
    ['IMG.sb-1.jpg', 'IMG.sb-1.jpg'],
    ['.tmp', '.tmp'],
    ['.IMG_1.JPG', '.IMG_1.JPG'],
    ['.IMG 12.jpg.JPG_12', '.IMG 12.jpg.JPG_12'],
  ])('%s becomes %s', (name, finished) => {
    expect(finishedName(name)).toBe(finished);
  });

  it('is one however its accents are written', () => {
    expect(cleanPath('Gro\u0308ße/a\u030a.jpg')).toBe('Größe/å.jpg');
  });

  it('is one with a dot before it: rclone writes so what has a colon', () => {
    expect(cleanPath('./20:15:03.jpg')).toBe('20:15:03.jpg');
    expect(() => cleanPath('../20:15:03.jpg')).toThrow();
  });
});
