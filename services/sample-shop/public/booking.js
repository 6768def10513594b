// The whole of what a page has to do.
const place = document.getElementById('payment');
const news = document.getElementById('news');

const widget = ServiceGroupPay({
  createSession: async () => {
    const response = await fetch(place.dataset.session, { method: 'POST' });
    if (!response.ok) throw new Error('The booking desk does not answer.');
    return response.json();
  },
  theme: { accentColor: '#0f766e' },
  onComplete: (group) => {
    news.textContent =
      group.state === 'partially_preauthorised'
        ? 'Your share is in. We wait for the others.'
        : 'Everyone is in!';
  },
  onError: ({ code, message }) => {
    // With a code it is a failed try, whose reason the form shows.
    if (code === undefined) news.textContent = message;
  },
});

widget.mount(place);
