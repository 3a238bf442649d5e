// Special functions, inside libdevice.h's namespace: of the normal distribution (in both widths),
// and, in double for both, gamma and Bessel functions.

// ---- error function ----
// e^(-a^2), a's square as a sum of two: half a unit of 700 would be 700 halves of the result's
template <class WfT> WF_MATH WfT exp_of_square(WfT a, WfT sign) {
  const WfT square = a * a;
  return exp(sign * square) * (1 + sign * fma(a, a, -square));
}
// Of 0.5 <= a < 2.125: e^(a^2) erfc(a) by Taylor's series about the nearest of seven points. It
// solves y' = 2 a y - 2 / sqrt(pi), which gives each term from the two before.
template <class WfT> WF_MATH WfT scaled_erfc_near(WfT a) {
  const int k = (int)(4 * a - WfT(1.5));
  const WfT at = WfT(0.5) + WfT(k) / 4, h = a - at;
  WfT before = k == 0   ? WfT(0.6156903441929258748708)
               : k == 1 ? WfT(0.5069376502931448057914)
               : k == 2 ? WfT(0.4275835761558070044108)
               : k == 3 ? WfT(0.3678229164523610929260)
               : k == 4 ? WfT(0.3215854164543175023543)
               : k == 5 ? WfT(0.2849722347374363892092)
                        : WfT(0.2553956763105057438651);
  WfT term = fma(2 * at, before, WfT(-1.12837916709551257390)), power = h, sum = 0;
  const WfT first = before;
  for (int n = 1; n < of<WfT>::TAYLOR_TERMS; n++) {
    sum = fma(term, power, sum);
    const WfT next = 2 * fma(at, term, before) / WfT(n + 1);
    before = term;
    term = next;
    power *= h;
  }
  return first + sum;
}
template <class WfT> WF_MATH WfT scaled_erfc_far(WfT a) { // of a >= 2.125
  return WfT(0.56418958354775628695) / (a + series<WfT, 1, of<WfT>::ERFC_TERMS>::tail(a));
}
template <class WfT> WF_MATH WfT scaled_erfc(WfT a) { // of a >= 0.5
  return a < WfT(2.125) ? scaled_erfc_near(a) : scaled_erfc_far(a);
}
template <class WfT> WF_MATH WfT erf_near(WfT x) { // of |x| < 2
  const WfT z = x * x;
  return WfT(1.12837916709551257390) * x * exp(-z) *
         series<WfT, 0, of<WfT>::ERF_TERMS>::error(2 * z);
}
template <class WfT> WF_MATH WfT erfc_of(WfT a) { // of a >= 0.5
  return a > 28 ? WfT(0) : exp_of_square(a, WfT(-1)) * scaled_erfc(a);
}
template <class WfT> WF_MATH WfT erf(WfT x) {
  const WfT a = abs(x);
  if (a > 6) return with_sign(WfT(1), x);
  return a < 1 ? erf_near(x) : with_sign(1 - erfc_of(a), x);
}
template <class WfT> WF_MATH WfT erfc(WfT x) {
  const WfT a = abs(x);
  if (a < WfT(0.5)) return 1 - erf_near(x);
  const WfT r = erfc_of(a);
  return x < 0 ? 2 - r : r;
}
template <class WfT> WF_MATH WfT erfcx(WfT x) {
  const WfT a = abs(x);
  if (a < WfT(0.5)) return exp_of_square(x, WfT(1)) * (1 - erf_near(x));
  const WfT r = scaled_erfc(a);
  if (!(x < 0)) return r;
  return a > 27 ? infinity<WfT>() : 2 * exp_of_square(a, WfT(1)) - r;
}
template <class WfT> WF_MATH WfT normal_below(WfT x) {
  const WfT root = WfT(0.70710678118654752440), t = -x * root;
  if (!(t >= WfT(0.5))) return erfc(t) / 2;
  if (t > 28) return 0;
  // What t was rounded by, and the root.
  const WfT rest =
      fma(-x, root, -t) - x * (sizeof(WfT) == 4 ? WfT(1.2101617e-8) : WfT(-4.8336466567264567e-17));
  return exp_of_square(t, WfT(-1)) * fma(WfT(-1.12837916709551257390), rest, scaled_erfc(t)) / 2;
}

// ---- inverses of it ----
WF_LARGE double erf_inverse_near(double y) { // of |y| <= 0.5
  const double s = 0.88622692545275801365 * y, z = s * s;
  double x =
      s * (1 + z * (1 / 3.0 + z * (7 / 30.0 + z * (127 / 630.0 + z * (4369 / 22680.0 +
                                                                      z * (34807 / 178200.0))))));
  for (int k = 0; k < 2; k++)
    x -= (erf_near(x) - y) * exp_of_square(x, 1.0) * 0.88622692545275801365;
  return x;
}
// Of 0 < q <= 0.5, by Newton's steps for the logarithm.
WF_LARGE double erfc_inverse_far(double q) {
  const double a = 0.147, u = log(q * (2 - q)), t = 2 / (3.14159265358979323846 * a) + u / 2;
  const double wanted = log(q);
  double x = sqrt(sqrt(t * t - u / a) - t);
  for (int k = 0; k < 4; k++) {
    const double scaled = erfcx(x), square = x * x;
    const double off = log(scaled) - square - wanted - fma(x, x, -square);
    x += off * scaled * 0.88622692545275801365;
  }
  return x;
}
WF_MATH double erf_inverse(double y) {
  const double a = abs(y);
  if (!(a < 1)) return a == 1 ? with_sign(infinity<double>(), y) : nothing<double>();
  return a <= 0.5 ? erf_inverse_near(y) : with_sign(erfc_inverse_far(1 - a), y);
}
WF_MATH double erfc_inverse(double q) {
  if (!(q > 0 && q < 2))
    return q == 0 ? infinity<double>() : q == 2 ? -infinity<double>() : nothing<double>();
  if (q >= 0.5 && q <= 1.5) return erf_inverse_near(1 - q);
  return q < 1 ? erfc_inverse_far(q) : -erfc_inverse_far(2 - q);
}
WF_MATH double normal_inverse(double p) {
  return -1.41421356237309504880 * erfc_inverse(2 * p);
}

// ---- gamma function ----
// log gamma(2 + z), |z| <= 0.5: (1 - Euler's constant) z + sum of (zeta(k) - 1) (-z)^k / k
WF_MATH double log_gamma_near(double z) {
  double sum = -6.42296456383809959886e-11;
  sum = fma(sum, z, 1.33047643742444888200e-10);
  sum = fma(sum, z, -2.75952288512423335590e-10);
  sum = fma(sum, z, 5.73136724167886225144e-10);
  sum = fma(sum, z, -1.19214014058609115474e-09);
  sum = fma(sum, z, 2.48367454380247847524e-09);
  sum = fma(sum, z, -5.18347504197004664423e-09);
  sum = fma(sum, z, 1.08386592148969545929e-08);
  sum = fma(sum, z, -2.27110946089431635043e-08);
  sum = fma(sum, z, 4.76981016936398039829e-08);
  sum = fma(sum, z, -1.00432248239680990840e-07);
  sum = fma(sum, z, 2.12071848055546646449e-07);
  sum = fma(sum, z, -4.49246919876456618549e-07);
  sum = fma(sum, z, 9.55141213040741935301e-07);
  sum = fma(sum, z, -2.03921575380136618969e-06);
  sum = fma(sum, z, 4.37486678990748817440e-06);
  sum = fma(sum, z, -9.43948827526839671519e-06);
  sum = fma(sum, z, 2.05072127756706910667e-05);
  sum = fma(sum, z, -4.49262367381331420460e-05);
  sum = fma(sum, z, 9.94575127818085309803e-05);
  sum = fma(sum, z, -2.23154758453579385793e-04);
  sum = fma(sum, z, 5.09669524743042450139e-04);
  sum = fma(sum, z, -1.19275391170326101886e-03);
  sum = fma(sum, z, 2.89051033074152335933e-03);
  sum = fma(sum, z, -7.38555102867398567679e-03);
  sum = fma(sum, z, 2.05808084277845464161e-02);
  sum = fma(sum, z, -6.73523010531981020099e-02);
  sum = fma(sum, z, 3.22467033424113203033e-01);
  return z * fma(z, sum, 0.42278433509846713939);
}
// What Stirling's formula leaves out: 1/(12x) - 1/(360x^3) + .., of x >= 10
WF_MATH double stirling_rest(double x) {
  const double z = 1 / (x * x);
  return (1 / 12.0 +
          z * (-1 / 360.0 +
               z * (1 / 1260.0 +
                    z * (-1 / 1680.0 +
                         z * (1 / 1188.0 +
                              z * (-691 / 360360.0 + z * (1 / 156.0 - z * 3617 / 122400.0))))))) /
         x;
}
WF_LARGE double log_gamma_positive(double x) {
  if (x < 0.5) return log_gamma_near(x) - log1p(x) - log(x);
  if (x < 1.5) return log_gamma_near(x - 1) - log1p(x - 1);
  if (x < 10) {
    double product = 1;
    for (; x > 2.5; product *= x) x -= 1;
    return log_gamma_near(x - 2) + log(product);
  }
  return (x - 0.5) * (log(x) - 1) + 0.41893853320467274178 + stirling_rest(x);
}
WF_LARGE double log_gamma(double x) {
  if (!finite(x)) return x * x;
  if (x > 0) return log_gamma_positive(x);
  if (whole(x)) return infinity<double>();
  if (x > -1e-10) return -log(-x) - 0.57721566490153286061 * x;
  return log(3.14159265358979323846 / abs(x * turned_pi(x, 0))) - log_gamma_positive(-x);
}
// gamma(x) as a product of two: each is far from the ends of the range
WF_LARGE double gamma_halves(double x, double *other) {
  *other = 1;
  if (x < 0.5) return exp(log_gamma_near(x)) / (x * (1 + x));
  if (x < 1.5) return exp(log_gamma_near(x - 1)) / x;
  if (x < 10) {
    double product = 1;
    for (; x > 2.5; product *= x) x -= 1;
    return exp(log_gamma_near(x - 2)) * product;
  }
  const double power = pow(x, 0.5 * x - 0.25);
  *other = power;
  return 2.50662827463100050242 * exp(-x) * (1 + expm1(stirling_rest(x))) * power;
}
WF_LARGE double gamma(double x) {
  double other;
  if (!(x < 172)) return x;
  if (x > 0) {
    const double half = gamma_halves(x, &other);
    return half * other;
  }
  if (whole(x)) return x == 0 ? 1 / x : nothing<double>();
  if (x > -1e-16) return 1 / x;
  if (x < -190) return odd(trunc(x)) ? 0.0 : -0.0;
  const double half = gamma_halves(-x, &other);
  return -3.14159265358979323846 / (x * turned_pi(x, 0)) / half / other;
}

// ---- Bessel functions ----
// All J of an x below 25 or of an order above x, by the recurrence downwards, from where they are
// nothing; their sum J0 + 2 J2 + 2 J4 .. is 1. With them Neumann's sums, which Y0 and Y1 are made
// of.
struct bessel_sums {
  double j0, j1, jn, even, odd;
};
WF_LARGE bessel_sums bessel_down(double x, int n) {
  const int most = n > (int)x ? n : (int)x;
  const int from = (most + 40 + (int)sqrt(20.0 * most)) / 2 * 2;
  double above = 0, here = 1e-200, norm = 0, at_n = 0, even_sum = 0, odd_sum = 0;
  for (int k = from; k > 0; k--) { // here: of order k
    if (k == n) at_n = here;
    if (k % 2 == 0) {
      norm += 2 * here;
      even_sum += (k / 2 % 2 ? -here : here) / (k / 2);
    } else if (k > 1) {
      const int m = k / 2;
      odd_sum += (m % 2 ? -here : here) * k / ((double)m * (m + 1));
    }
    const double below = 2 * k / x * here - above;
    above = here;
    here = below;
    if (abs(here) > 1e200) {
      here *= 1e-100, above *= 1e-100, norm *= 1e-100;
      at_n *= 1e-100, even_sum *= 1e-100, odd_sum *= 1e-100;
    }
  }
  norm += here;
  if (n == 0) at_n = here;
  return {here / norm, above / norm, at_n / norm, even_sum / norm, odd_sum / norm};
}
// Hankel's: sqrt(2 / (pi x)) times cos or sin of x - pi/4 and the rest of it, of x >= 25; order 0
// or 1
WF_LARGE double bessel_far(double x, int order, bool second) {
  double term = 1, p = 1, q = 0;
  for (int k = 1; k < 32; k++) {
    term *= (4 * order - (2 * k - 1) * (2 * k - 1)) / (8 * k * x);
    if (k % 2)
      q += k / 2 % 2 ? -term : term;
    else
      p += k / 2 % 2 ? -term : term;
  }
  const double s = sin(x), c = cos(x);
  const double cosine = order ? s - c : s + c, sine = order ? -s - c : s - c; // times sqrt(2)
  return (second ? p * sine + q * cosine : p * cosine - q * sine) /
         sqrt(3.14159265358979323846 * x);
}
WF_LARGE double bessel_j(int order, double given) { // 0 or 1
  const double x = abs(given);
  if (x == 0) return order ? given : 1;
  if (x == infinity<double>()) return 0;
  const double r =
      x < 25 ? (order ? bessel_down(x, 1).j1 : bessel_down(x, 0).j0) : bessel_far(x, order, false);
  return order && given < 0 ? -r : r;
}
WF_LARGE double bessel_y(int order, double x) {
  if (!(x > 0)) return x == 0 ? -infinity<double>() : nothing<double>();
  if (x == infinity<double>()) return 0;
  if (x >= 25) return bessel_far(x, order, true);
  const double two_by_pi = 0.63661977236758134308, euler = 0.57721566490153286061;
  if (order && x < 1e-160) return -two_by_pi / x;
  const bessel_sums b = bessel_down(x, 0);
  const double l = log(x / 2) + euler;
  if (order) return two_by_pi * ((l - 1) * b.j1 - b.j0 / x - b.odd);
  return two_by_pi * (l * b.j0 - 2 * b.even);
}
WF_LARGE double bessel_jn(int n, double given) {
  const double x = abs(given);
  if (n < 0) return nothing<double>();
  if (n < 2) return bessel_j(n, given);
  if (x == 0 || x == infinity<double>()) return 0;
  double r;
  if (x < 25 || n > x) {
    r = bessel_down(x, n).jn;
  } else {
    double before = bessel_far(x, 0, false);
    r = bessel_far(x, 1, false);
    for (int k = 1; k < n; k++) {
      const double next = 2 * k / x * r - before;
      before = r;
      r = next;
    }
  }
  return n % 2 && given < 0 ? -r : r;
}
WF_LARGE double bessel_yn(int n, double x) {
  if (n < 0) return nothing<double>();
  if (n == 0 || !(x > 0) || x == infinity<double>()) return bessel_y(0, x);
  double before = bessel_y(0, x), r = bessel_y(1, x);
  for (int k = 1; k < n && r > -infinity<double>(); k++) {
    const double next = 2 * k / x * r - before;
    before = r;
    r = next;
  }
  return r;
}
// Modified, of order 0 or 1: no term is negative. What z was rounded by comes back by the slope.
WF_LARGE double bessel_i(int order, double given) {
  const double x = abs(given), z = x * x / 4;
  double sum = order ? x / 2 : 1, term = sum, slope = 0;
  if (x == 0) return order ? given : 1;
  if (x < 30) {
    for (int k = 1; k < 80; k++) {
      term *= z / (k * (k + order));
      sum += term;
      slope += k * term;
    }
    sum += slope * (fma(x, x, -4 * z) / (4 * z));
  } else {
    term = sum = 1;
    for (int k = 1; k < 32; k++) {
      term *= ((2 * k - 1) * (2 * k - 1) - 4 * order) / (8 * k * x);
      sum += term;
    }
    const double half = exp(x / 2);
    sum = x > 720 ? infinity<double>() : half * (sum / sqrt(6.28318530717958647693 * x)) * half;
  }
  return order && given < 0 ? -sum : sum;
}
