import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Banii se încasează după ce plătesc toți sau la expirarea timpului, dacă s-a atins minimul: {minimum}.',
    how3: 'Dacă timpul expiră înainte și s-a atins minimul ({minimum}), se încasează ce s-a plătit. Altfel, toate sumele se deblochează și nimeni nu plătește nimic.',
    payNote:
      'Blocată acum, încasată după ce plătesc toți sau la expirarea timpului, dacă s-a atins minimul ({minimum}).',
    doneText:
      'Pe cardul dvs. s-au blocat {amount}. Suma se încasează când toate părțile sunt blocate sau la expirarea timpului, dacă s-a atins minimul ({minimum}); altfel se deblochează.',
    chargingTitle: 'Se încasează',
    chargingText: 'Părțile blocate se încasează acum.',
    shortTitle: 'Plătit parțial',
    shortText:
      'Unele părți au fost încasate. Celelalte nu au fost plătite la timp sau nu au putut fi încasate. Comerciantul vede acest lucru și decide ce urmează.',
    reachedTitle: 'Minimul a fost atins',
    reachedText: 'Minimul ({minimum}) a fost atins la timp, iar părțile plătite au fost încasate.',
    expiredText:
      'La expirarea timpului, ceea ce se putea încasa nu ajungea la minim ({minimum}), așa că nimănui nu i se iau bani.',
  },
  slots: { slots_one: '{n} parte', slots_few: '{n} părți', slots_other: '{n} de părți' },
};
export default messages satisfies MinimumMessages;
