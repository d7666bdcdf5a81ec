export const BRAND = 'Feierbild';
